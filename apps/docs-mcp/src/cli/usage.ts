export const usage = `docs-mcp: the right section of a documentation page, within a budget

Serve MCP:
  docs-mcp [source …]              over stdio
  docs-mcp --http 8080 [source …]  over Streamable HTTP, at http://127.0.0.1:8080/mcp

  docs-mcp --site aws              a site by name; its own search is asked
  docs-mcp --compat aws            the tools of that site's own server, or of snowflake's

A source is a folder of HTML or Markdown, a file, a .zip or .tar.gz of pages, a pack,
a page, a site, a sitemap or an llms.txt.

Ask from the command line:
  docs-mcp search  <source> <query …>    sections of many pages
  docs-mcp find    <page> <query …>      sections of one page
  docs-mcp table   <page> <query …>      rows of its tables
  docs-mcp toc     <page> [section]      titles and costs
  docs-mcp section <page> <section>      one section; or <page#section>
  docs-mcp content <page>                a page, part by part
  docs-mcp related <page> [section]      where to read on

Set up:
  docs-mcp add <client> [source …]       enter it into claude-code, claude-desktop, cursor, vscode,
                                         codex, gemini, opencode, windsurf, cline, kiro or zed
  docs-mcp index <source …>              read all pages now, so that searches need not wait
  docs-mcp pack <file.docpack> <source …>  one file that is served without a network
  docs-mcp sites [url …]                 sites and services that are known, or how one is searched
  docs-mcp doctor [source …]             check what it needs, and the sources

Answers:
  --code              code blocks in full
  --max-length <n>    characters of text at most (default 5000; 0: as many as allowed)
  --page <token>      go on where the reply before stopped
  --start-index <n>   content: begin at this character
  --max-results <n>   search: 1-20 (default 5); find: 1-10 sections (3); table: 1-200 rows (20)
  --headings          search: list the headings of each page
  --language <tag>    search: pages in this language
  --filter <name=v>   search: narrow by a value that a reply offered; may be repeated
  --json              the answer as JSON

Settings, also in docs-mcp.json and in the environment as DOCS_MCP_…:
  --config <file>          instead of ~/.config/pith/docs-mcp.json (DOCS_MCP_CONFIG)
  --site <name>            aws, aws-cn, snowflake, microsoft-learn or mdn; may be repeated
  --compat <name>          aws or snowflake; AWS_DOCUMENTATION_PARTITION=aws-cn for China
  --no-site-search         ask no site's own search
  --user-agent <text>      how requests name who asks
  --timeout <s>            for one request (default 20)
  --max-pages <n>          of one source that a search looks through (default 2000)
  --search-wait <s>        that a search waits for pages (default 20)
  --cache <folder>         where pages and indexes are kept; --no-cache: nowhere
  --max-cache-mb <n>       of pages that are kept (default 512)
  --offline                fetch nothing
  --only <host>            read no other hosts; may be repeated
  --allow-network <cidr>   a network that may be read though it is not public
  --http <[host:]port>     with DOCS_MCP_TOKEN, a bearer token is asked for
  --http-host <name>       under which the server is reached
  --structured-content     figures of replies as structuredContent too
  --name <name>            add: of the server in the client
  --user                   add: for all folders, not for this one
  --force                  add: in place of another of that name
  --print                  add: only show what would be written
  --help, --version

Local files are read only below the sources. Pages on private networks are read only
from the hosts of the sources. Exit codes: 0 answered, 1 failed, 2 wrong usage.
`
