import type { Guide } from '@pith-mcp/server-kit/clients'

export const guide: Guide = {
  name: 'read-code',
  description:
    'Read source code by the function instead of the file. Use it to find where something is defined and what uses it, and to read long functions and files; not for a file that is open, or a literal text.',
  text: `# Read code

Code is read by the function, with the tools of code-mcp:

1. \`find_function\` finds functions, classes, constants and fields of all files: by a name (\`class Pot\`, \`*part*\`), or by a few words on what they do. A clear match comes with its code; do not read it again.
2. \`find_references\` finds what calls, uses, extends or tests one: call it before a change.
3. \`list_functions_in_file\` lists what a file defines, with what each costs to read.
4. \`get_function_chunk\` reads one. The first line of a page of a long one names the tokens of the next and the previous page.
5. \`get_chunk\` reads by an id of the form path#name.

Prefer these tools to reading whole files of more than 300 lines. Do not use them for a file that you have open, or to find a literal text, such as a message: one \`rg\` does that.`,
}
