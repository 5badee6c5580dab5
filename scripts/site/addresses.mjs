/** Where the project and its manual are on the web. */
export const repositoryUrl = 'https://github.com/pith-mcp/pith'
export const siteUrl = 'https://pith-mcp.github.io/pith/'
