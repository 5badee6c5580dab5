/** URLs of the project and its manual. */
export const repositoryUrl = 'https://github.com/pith-mcp/pith'
export const siteUrl = 'https://pith-mcp.github.io/pith/'
