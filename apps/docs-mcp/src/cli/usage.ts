import { clientNames } from '@pith-mcp/server-kit/clients'
import { addOptions, helpText, usageLines } from '@pith-mcp/server-kit/settings'
import { answerOptions, commands, generalOptions, isChore } from '../config.ts'
import { settings } from '../settings.ts'

export const usage: string = `docs-mcp: the right section of a documentation page, within a budget

Serve MCP:
  docs-mcp [source …]              over stdio
  docs-mcp --http 8080 [source …]  over Streamable HTTP, at http://127.0.0.1:8080/mcp

  docs-mcp --site aws              a site by name, with its own search
  docs-mcp --compat aws            the tools of the vendor's server, for aws or snowflake

A source is a folder of HTML, Markdown or text, a file, a .zip or .tar.gz of pages,
a pack, a page, a site, a sitemap or an llms.txt. Without one, in the folder of a project:
what the project has installed, by name, such as zod, zod@4.1 or django@5.2.

Query from the command line:
  docs-mcp search  <source> <query …>    sections of many pages
  docs-mcp find    <page> <query …>      sections of one page
  docs-mcp table   <page> <query …>      rows of its tables
  docs-mcp toc     <page> [section]      titles and sizes of its sections
  docs-mcp section <page> <section>      one section; or <page#section>
  docs-mcp content <page>                a page, part by part
  docs-mcp related <page> [section]      related pages

Set up:
  docs-mcp setup [source …]              show, and write, its entry for all clients that are here
  docs-mcp add <client> [source …]       configure it in ${clientNames.slice(0, 4).join(', ')},
                                         ${clientNames.slice(4, 12).join(', ')},
                                         ${clientNames.slice(12).join(', ')}
  docs-mcp remove <client>               take out what add wrote
  docs-mcp index <source …>              index all pages now, so that searches do not wait
  docs-mcp pack <file.docpack> <source …>  write a file that is served without a network
  docs-mcp sites [url …]                 supported sites and services, or how a site is searched
  docs-mcp libraries                     what the project in this folder has installed
  docs-mcp doctor [source …]             check the requirements and the sources
  docs-mcp check <source> [pages]        what agents get from your documentation, and what they lose

Answers:
${usageLines(answerOptions, 22)}

Settings, also in docs-mcp.json and in the environment as DOCS_MCP_…:
${usageLines(generalOptions, 27)}
${usageLines(settings, 27)}
${usageLines(addOptions, 27)}
  --help, --version
Secrets may be in files: DOCS_MCP_TOKEN_FILE names that of DOCS_MCP_TOKEN.

Local files are read only below the sources. Pages on private networks are read only
from the hosts of the sources. Exit codes: 0 success, 1 failure or no match, 2 wrong usage.
`

/** The help of one command, or all of it. @throws {UsageError} */
export const docsHelp = (topic: string | undefined): Promise<string> =>
  helpText(topic, {
    program: 'docs-mcp',
    usage,
    commands,
    optionsOf: (command) =>
      !isChore(command)
        ? answerOptions
        : command === 'setup' || command === 'add' || command === 'remove'
          ? addOptions
          : undefined,
  })
