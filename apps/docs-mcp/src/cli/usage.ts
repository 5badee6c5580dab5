export const usage = `docs-mcp: the right section of a documentation page, within a budget

Serve MCP over stdio:
  docs-mcp [source …]            a source is a folder of HTML or Markdown, a file,
                                 a page, a site with a sitemap, or a sitemap

Ask from the command line:
  docs-mcp search  <source> <query …>    sections of many pages
  docs-mcp find    <page> <query …>      sections of one page
  docs-mcp toc     <page> [section]      titles and costs
  docs-mcp section <page> <section>      one section; or <page#section>
  docs-mcp content <page>                a page, part by part

Options:
  --code              code blocks in full
  --max-length <n>    characters of text at most (default 5000; 0: as many as allowed)
  --page <token>      go on where the reply before stopped
  --start-index <n>   content: begin at this character
  --max-results <n>   search: 1-20 (default 5); find: 1-10 sections (default 3)
  --headings          search: list the headings of each page
  --json              the answer as JSON
  --timeout <s>       for one request (default 20)
  --max-pages <n>     that a search looks through (default 2000)
  --help, --version

Local files are read only below the sources. Pages on private networks are read only
from the hosts of the sources. Exit codes: 0 answered, 1 failed, 2 wrong usage.
`
