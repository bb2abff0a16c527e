export default { output: "export", trailingSlash: false, eslint: { ignoreDuringBuilds: true } };
