import type { Guide } from '@pith-mcp/server-kit/clients'

export const guide: Guide = {
  name: 'read-docs',
  description:
    'Answer from documentation with few tokens. Use it before writing code against a library or tool whose documentation is served, and whenever a question is about one.',
  text: `# Read documentation

Documentation is read by the section, with the tools of docs-mcp:

1. \`search_docs\` with words that the documentation uses. It returns sections with their URLs.
2. \`get_doc_section\` with the URL of the best one. Stop once the answer is found.
3. On a page that you know: \`search_in_doc\`, \`search_table\` or \`get_doc_toc\`. \`get_doc_content\` is rarely needed.

Code is left out until \`include_code_blocks=true\`. Prefer these tools to fetching pages of the web. Cite the URLs you use. Do not use them for what the project's own code says, for business logic, or to find a literal text in files that you have: one \`rg\` does that.`,
}
