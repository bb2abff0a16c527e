module.exports = {
  title: "Loom",
  url: "https://site.example",
  baseUrl: "/",
  onBrokenLinks: "ignore",
  presets: [
    [
      "classic",
      {
        docs: { sidebarPath: "./sidebars.js" },
        blog: { onUntruncatedBlogPosts: "ignore", onInlineAuthors: "ignore", onInlineTags: "ignore", postsPerPage: 5 },
        sitemap: false,
        theme: {},
      },
    ],
  ],
  themes: [["@easyops-cn/docusaurus-search-local", { hashed: true, indexBlog: true }]],
  themeConfig: {
    navbar: {
      title: "Loom",
      items: [
        { type: "docSidebar", sidebarId: "docs", label: "Docs" },
        { to: "/blog", label: "Blog" },
      ],
    },
  },
};
