// Writes the licences of the packages in the bundle, each text once, to the file beside it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const texts = new Map();
for (const folder of readdirSync("node_modules").filter((name) => !name.startsWith(".") && !name.includes("esbuild"))) {
  const names = folder.startsWith("@") ? readdirSync(`node_modules/${folder}`).map((name) => `${folder}/${name}`) : [folder];
  for (const name of names) {
    const file = `node_modules/${name}/LICENSE`;
    if (!existsSync(file)) throw new Error(`${name} has no LICENSE`);
    const text = readFileSync(file, "utf8").trim();
    texts.set(text, [...(texts.get(text) ?? []), name]);
  }
}
const parts = [...texts].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`);
writeFileSync("../../reports/serve/static/files/editor.licences.txt", parts.join(`\n${"-".repeat(72)}\n\n`));
