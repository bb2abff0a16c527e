import sitemap from "@astrojs/sitemap";

export default { site: "https://site.example", integrations: [sitemap({ filter: (page) => !page.includes("/notes/") })] };
