import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";

export default defineConfig({
  integrations: [
    starlight({
      title: "Lantern",
      defaultLocale: "root",
      locales: { root: { label: "English", lang: "en" }, de: { label: "Deutsch", lang: "de" } },
      sidebar: [
        { label: "Start", items: ["start/install", "start/first-steps"] },
        { label: "Guides", autogenerate: { directory: "guides" } },
        { label: "Reference", collapsed: true, autogenerate: { directory: "reference" } },
      ],
    }),
  ],
});
