"""A runner for composite actions, such as that of GitHub, as far as `action.yml` needs one.

Steps with `run` are run as the runner does, by the shell that it uses, in an environment that has nothing of this
one. Steps with `uses` are the few actions that are known here. Expressions have no functions but `always()`.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
NETWORK = ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE")


@dataclass(frozen=True)
class Done:
    """A step that was run: its exit code, and its output."""

    name: str
    code: int
    output: str = ""
    errors: str = ""


@dataclass
class Runner:
    """Runs an action.

    action     the folder with action.yml
    workspace  the checkout that uses it
    folder     for temporary files, caches and artifacts
    python     the interpreter that actions/setup-python sets up
    """

    action: Path
    workspace: Path
    folder: Path
    python: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    run_id: str = "1"
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)

    def run(self, *only: str) -> list[Done]:
        """Run all steps, or those with some names, up to the first that fails, and what is always run."""
        read = yaml.safe_load((self.action / "action.yml").read_text(encoding="utf-8"))
        unknown = self.inputs.keys() - read["inputs"].keys()
        assert not unknown, unknown
        given = {name: each.get("default", "") for name, each in read["inputs"].items()} | dict(self.inputs)
        assert all(isinstance(value, str) for value in given.values()), given
        done: list[Done] = []
        failed = False
        for step in read["runs"]["steps"]:
            if only and step["name"] not in only:
                continue
            if self._wanted(step.get("if", "success()"), given, failed=failed):
                outputs: dict[str, str] = {}
                done.append(self._step(step, given, outputs))
                failed |= done[-1].code != 0
                self.outputs[step.get("id", step["name"])] = outputs
        self.outputs["action"] = {
            name: self._filled(each["value"], given) for name, each in read["outputs"].items()
        }
        return done

    @property
    def temporary(self) -> Path:
        """The folder for temporary files, which is new for each job."""
        return self.folder / f"temp-{self.run_id}"

    def _step(self, step: Mapping[str, Any], given: Mapping[str, str], outputs: dict[str, str]) -> Done:
        if "uses" in step:
            options = {name: self._filled(str(value), given) for name, value in step.get("with", {}).items()}
            _USES[step["uses"].partition("@")[0]](self, options, outputs)
            return Done(step["name"], 0)
        assert step["shell"] == "bash"
        self.temporary.mkdir(parents=True, exist_ok=True)
        written = self.temporary / "outputs"
        written.write_text("")
        script = self.temporary / "step.sh"
        assert "${{" not in step["run"], "inputs go through the environment: in a script they could be commands"
        script.write_text(step["run"], encoding="utf-8")
        own = {name: self._filled(value, given) for name, value in step.get("env", {}).items()}
        environment = {name: os.environ[name] for name in NETWORK if name in os.environ} | {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_ACTION_PATH": str(self.action),
            "GITHUB_OUTPUT": str(written),
            "RUNNER_TEMP": str(self.temporary),
        }
        found = subprocess.run(
            [*SHELL, str(script)],
            cwd=self.workspace,
            env=environment | own,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        for line in written.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            outputs[name] = value
        texts = (each.decode("utf-8", "replace") for each in (found.stdout, found.stderr))
        return Done(step["name"], found.returncode, *texts)

    def _wanted(self, condition: str, given: Mapping[str, str], *, failed: bool) -> bool:
        if condition in ("always()", "success()"):
            return condition == "always()" or not failed
        found = re.fullmatch(r"(\S+) (==|!=) '([^']*)'", condition)
        assert found is not None, condition
        value, sign, other = found.groups()
        return not failed and (self._value(value, given) == other) == (sign == "==")

    def _filled(self, text: str, given: Mapping[str, str]) -> str:
        return re.sub(r"\$\{\{ *(\S+) *\}\}", lambda found: self._value(found[1], given), text)

    def _value(self, name: str, given: Mapping[str, str]) -> str:
        """The value of an expression; an output that is not there is empty."""
        if name.startswith("inputs."):
            return given[name.removeprefix("inputs.")]
        if found := re.fullmatch(r"steps\.([\w-]+)\.outputs\.([\w-]+)", name):
            return self.outputs.get(found[1], {}).get(found[2], "")
        return {
            "runner.temp": str(self.temporary),
            "runner.os": "Linux",
            "runner.arch": "X64",
            "github.job": "levels",
            "github.run_id": self.run_id,
            "github.run_attempt": "1",
            "strategy.job-index": "0",
        }[name]

    def _set_up_python(self, options: Mapping[str, str], outputs: dict[str, str]) -> None:
        outputs |= {"python-path": self.python, "python-version": options["python-version"]}

    def _restore(self, options: Mapping[str, str], outputs: dict[str, str]) -> None:
        caches, key = self.folder / "caches", options["key"]
        outputs |= {"cache-primary-key": key, "cache-hit": "true" if (caches / key).exists() else ""}
        starts = [key, *options.get("restore-keys", "").split()]
        found = [each for start in starts for each in sorted(caches.glob(f"{start}*"))]
        if found:
            _copy(found[0], Path(options["path"]))

    def _save(self, options: Mapping[str, str], outputs: dict[str, str]) -> None:
        target = self.folder / "caches" / options["key"]
        if Path(options["path"]).exists() and not target.exists():
            _copy(Path(options["path"]), target)

    def _upload(self, options: Mapping[str, str], outputs: dict[str, str]) -> None:
        if Path(options["path"]).exists():
            _copy(Path(options["path"]), self.folder / "artifacts" / options["name"])


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        shutil.copy(source, target)


_USES = {
    "actions/setup-python": Runner._set_up_python,
    "actions/cache/restore": Runner._restore,
    "actions/cache/save": Runner._save,
    "actions/upload-artifact": Runner._upload,
}
