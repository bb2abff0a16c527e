import { readFileSync } from "node:fs";

export const catalogue = () => JSON.parse(readFileSync("public/data/catalogue.json", "utf8"));
export const one = (kind, id) => catalogue()[kind].find((entry) => entry.id === id);
