import { expect, test } from 'vitest'
import { pagingRows } from '../apps/code-mcp/test/compat/paging-rows.ts'
import { awsRows, chinaRows } from '../apps/docs-mcp/test/compat/aws-rows.ts'
import { snowflakeRows } from '../apps/docs-mcp/test/compat/snowflake-rows.ts'
import { metaToolRows } from '../packages/aggregator/test/compat/meta-tool-rows.ts'
import { tableOf } from './compat-table.ts'

/** The manual page on the tools of other servers; the rows are called by the tests of each program. */
const manual = `# The tools of other servers

Keep using prompts that were written for other servers: Pith offers their tools, with the same names and parameters.

- docs-mcp can offer the tools of the documentation servers of [AWS](#aws) and [Snowflake](#snowflake).
- code-mcp can page functions as in [another design](#paging).
- aggregator-mcp always has the [meta-tools](#meta-tools) of a third.

\`\`\`sh
docs-mcp --compat snowflake
docs-mcp --compat aws
AWS_DOCUMENTATION_PARTITION=aws-cn docs-mcp --compat aws
code-mcp --compat paging
\`\`\`

In docs-mcp, \`--compat\` sets the site. Other hosts are not read unless you add them with \`--only\`. As everywhere:

- Page text is between \`<page_text>\` and \`</page_text>\`.
- A reply has at most 20,000 characters of text.
- Pages are cached as [Access](access.md) describes.
- An error has \`isError\` and names the value and the remedy.

Tests call every tool and parameter in these tables against local servers.

## Snowflake

\`--compat snowflake\` offers the tools of the Snowflake documentation server.

${tableOf(snowflakeRows)}

The memory cache holds 50 pages for 5 minutes, like the original; docs-mcp also caches on disk.

## AWS

\`--compat aws\` offers the tools of \`awslabs.aws-documentation-mcp-server\`.

${tableOf(awsRows)}

Other differences:

- \`MCP_USER_AGENT\` sets the \`User-Agent\`, like the original.
- \`FASTMCP_LOG_LEVEL\` is ignored: stderr contains errors only.
- A search sends a session id that is valid until the server ends, like the original. Reading a page reports nothing to AWS: not the page, the search it came from, or the sections.
- Page text has no links; \`get_links\` lists them.
- A table repeats a cell that spans several rows in each of them, instead of nesting rows.

## AWS China

With \`AWS_DOCUMENTATION_PARTITION=aws-cn\` or \`--site aws-cn\`, search and recommendations are missing, like in the original.

${tableOf(chinaRows)}

## Paging

\`code-mcp --compat paging\` follows a design for the paging of huge functions by [project-analyzer-mcp](https://github.com/aoitan/project-analyzer-mcp), in English or, with \`--locale ja\`, in Japanese. \`get_function_chunk\` and \`get_chunk\` take its parameters, begin a part with its three sentences, and return its fields as structured content with an output schema. The other tools are ours. Our own names of parameters, such as \`file_path\`, work too.

${tableOf(pagingRows)}

## Meta-tools

In its mode \`meta\`, aggregator-mcp has the three tools of [mcpist](https://github.com/shibaleo/mcpist), without an option, and also \`search_tools\` and \`read_more\`.

${tableOf(metaToolRows)}
`

test('docs/compat.md has the rows that tests call: vitest -u writes it', async () => {
  await expect(manual).toMatchFileSnapshot('../docs/compat.md')
})
