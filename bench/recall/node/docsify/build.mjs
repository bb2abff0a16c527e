import { cpSync } from "node:fs";

cpSync("docs", "dist", { recursive: true });
for (const name of ["docsify.min.js", "plugins/search.min.js", "themes/vue.css"])
  cpSync(`node_modules/docsify/lib/${name}`, `dist/lib/${name}`);
