import { awsRows, chinaRows } from './aws-rows.ts'
import { tableOf } from './row.ts'
import { snowflakeRows } from './snowflake-rows.ts'

/** The manual page on the tools of other servers. */
export const manual = (): string => `# The tools of other servers

AWS has a documentation server of its own, and there is one for the documentation of Snowflake. docs-mcp offers their tools under their names and with their parameters, so that prompts written for them go on working:

\`\`\`sh
docs-mcp --compat snowflake
docs-mcp --compat aws
AWS_DOCUMENTATION_PARTITION=aws-cn docs-mcp --compat aws
\`\`\`

The site comes with it; other hosts are not read unless \`--only\` names them. What a page says stands between \`<page_text>\` and \`</page_text>\`, no reply is longer than 20,000 characters, and pages are kept as [Access and cache](access.md) says. An error is an error (\`isError\`) that names the value and what to do, not a result that looks like one.

Each line of these tables is proved by the calls of a test: \`npx vitest run --project docs-mcp compat\` makes them against servers on this machine that behave as the sites do.

## Snowflake

\`--compat snowflake\` has the tools of the Snowflake documentation server.

${tableOf(snowflakeRows)}

Pages in memory: 50, for 5 minutes, as there; beyond that on disk.

## AWS

\`--compat aws\` has the tools of \`awslabs.aws-documentation-mcp-server\`.

${tableOf(awsRows)}

\`MCP_USER_AGENT\` names who asks, as there. \`FASTMCP_LOG_LEVEL\` is not read: stderr has failures and nothing else. A search sends a session id that ends with the server, as there; reading a page does not tell AWS of it, nor of the search it came from and the sections that were asked for. Text stands without its links, which \`get_links\` lists. A table says in each row what spans several, instead of nesting them.

## AWS China

\`AWS_DOCUMENTATION_PARTITION=aws-cn\`, or \`--site aws-cn\`: no search, no recommendations, as there.

${tableOf(chinaRows)}
`
