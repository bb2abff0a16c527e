import { readFileSync } from "node:fs";

const listed = JSON.parse(readFileSync(new URL("../../sidebar.json", import.meta.url)));

export default {
  title: "Kiln",
  description: "A build tool that does not exist",
  themeConfig: {
    nav: [{ text: "Guide", link: "/guide/" }],
    sidebar: [{ text: "Guide", items: listed }],
    search: { provider: "local" },
  },
};
