import { viteBundler } from "@vuepress/bundler-vite";
import { searchPlugin } from "@vuepress/plugin-search";
import { defaultTheme } from "@vuepress/theme-default";
import { readFileSync } from "node:fs";
import { defineUserConfig } from "vuepress";

export default defineUserConfig({
  lang: "en-GB",
  title: "Millrace",
  description: "Documentation of Millrace",
  bundler: viteBundler(),
  theme: defaultTheme({
    navbar: ["/guide/", { text: "Reference", children: ["/reference/cli.md", "/reference/config.md"] }, "/cookbook/"],
    sidebar: JSON.parse(readFileSync("sidebar.json", "utf8")),
    contributors: false,
    lastUpdated: false,
  }),
  plugins: [searchPlugin()],
});
