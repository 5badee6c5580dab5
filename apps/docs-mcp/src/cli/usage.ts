export const usage = `docs-mcp: the right section of a documentation page, within a budget

Serve MCP:
  docs-mcp [source …]              over stdio
  docs-mcp --http 8080 [source …]  over Streamable HTTP, at http://127.0.0.1:8080/mcp

  docs-mcp --site aws              a site by name, with its own search
  docs-mcp --compat aws            the tools of the vendor's server, for aws or snowflake

A source is a folder of HTML or Markdown, a file, a .zip or .tar.gz of pages, a pack,
a page, a site, a sitemap or an llms.txt.

Query from the command line:
  docs-mcp search  <source> <query …>    sections of many pages
  docs-mcp find    <page> <query …>      sections of one page
  docs-mcp table   <page> <query …>      rows of its tables
  docs-mcp toc     <page> [section]      titles and sizes of its sections
  docs-mcp section <page> <section>      one section; or <page#section>
  docs-mcp content <page>                a page, part by part
  docs-mcp related <page> [section]      related pages

Set up:
  docs-mcp add <client> [source …]       configure it in claude-code, claude-desktop, cursor, vscode,
                                         codex, gemini, opencode, windsurf, cline, kiro or zed
  docs-mcp index <source …>              index all pages now, so that searches do not wait
  docs-mcp pack <file.docpack> <source …>  write a file that is served without a network
  docs-mcp sites [url …]                 supported sites and services, or how a site is searched
  docs-mcp doctor [source …]             check the requirements and the sources

Answers:
  --code              code blocks in full
  --max-length <n>    maximum characters of text (default 5000; 0: as many as allowed)
  --page <token>      continue where the previous reply stopped
  --start-index <n>   content: begin at this character
  --max-results <n>   search: 1-20 (default 5); find: 1-10 sections (3); table: 1-200 rows (20)
  --headings          search: list the headings of each page
  --language <tag>    search: pages in this language
  --filter <name=v>   search: narrow by a filter value of a reply; may be repeated
  --json              the answer as JSON

Settings, also in docs-mcp.json and in the environment as DOCS_MCP_…:
  --config <file>          instead of ~/.config/pith/docs-mcp.json (DOCS_MCP_CONFIG)
  --site <name>            aws, aws-cn, snowflake, microsoft-learn or mdn; may be repeated
  --compat <name>          aws or snowflake; AWS_DOCUMENTATION_PARTITION=aws-cn for China
  --no-site-search         do not use the search services of sites
  --user-agent <text>      User-Agent of requests
  --timeout <s>            for one request (default 20)
  --max-pages <n>          maximum pages of one source to index (default 2000)
  --search-wait <s>        maximum wait of a search for pages (default 20)
  --cache <folder>         folder for pages and indexes; --no-cache: none
  --max-cache-mb <n>       maximum size of cached pages (default 512)
  --offline                send no requests; use files, packs and cached pages
  --only <host>            read no other hosts; may be repeated
  --allow-network <cidr>   a network that may be read although it is not public
  --http <[host:]port>     with DOCS_MCP_TOKEN, clients must send a bearer token
  --http-host <name>       host name under which the server is reached
  --structured-content     also return figures of replies as structuredContent
  --name <name>            add: name of the server in the client
  --user                   add: for all folders instead of this one
  --force                  add: replace a server of the same name
  --print                  add: print the change without writing it
  --help, --version

Local files are read only below the sources. Pages on private networks are read only
from the hosts of the sources. Exit codes: 0 success, 1 failure, 2 wrong usage.
`
