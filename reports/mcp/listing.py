"""The tool that lists what there is: files of levels, and the levels of a file."""

from puzzlemc.reports.mcp.answers import LevelFile, Levels, ListedLevel
from puzzlemc.reports.mcp.arguments import ListLevels
from puzzlemc.reports.mcp.calls import Call
from puzzlemc.reports.mcp.level import Place, levels, listed


def list_levels(asked: ListLevels, call: Call) -> Levels:
    """The files below the folders, or the levels of one file."""
    setting = call.setting
    with call.worker() as worker:
        if asked.file is None:
            if not setting.folders.paths:
                return Levels(files=[], levels=[], more=False)
            paths, more = call.run(worker, listed, setting.folders.paths, setting.own)
            return Levels(files=[LevelFile(setting.folders.shown(each)) for each in paths], levels=[], more=more)
        file = setting.folders.file(asked.file)
        place = Place(None, file, None, asked.puzzle, setting.folders.paths, setting.own)
        found, more = call.run(worker, levels, place)
    return Levels(files=[], levels=[ListedLevel(**each) for each in found], more=more)
