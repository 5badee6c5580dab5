import type { Guide } from '@pith-mcp/server-kit/clients'

export const guide: Guide = {
  name: 'read-code',
  description:
    'Read source code by the function instead of the file. Use it to find where something is defined and what uses it, and to read long functions and files; not for a file that is open, or a literal text.',
  text: `# Read code

Code is read by the function, with the tools of code-mcp:

1. \`find_function\` finds functions, classes, constants and fields of all files: by a name (\`class Pot\`, \`*part*\`), by a text of their lines, such as a key or a message, or by a few words on what they do. A clear match comes with its code; do not read it again.
2. \`find_references\` finds what uses, extends or tests one: call it before a change. What it is not sure of is listed apart.
3. \`list_functions_in_file\` lists what a file defines, with what each costs to read.
4. \`get_chunk\` reads one by path#name, or a file by its path. The first line of a page of a long one names the tokens of the next and the previous page.

Prefer these tools to reading whole files of more than 300 lines. Do not use them for a file that you have open, or to find a literal text in a known folder: one \`rg\` does that. Where a language server runs, it is better for methods, types and renaming.`,
}
