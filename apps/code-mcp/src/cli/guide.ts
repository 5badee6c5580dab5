import type { Guide } from '@pith-mcp/server-kit/clients'

export const guide: Guide = {
  name: 'read-code',
  description:
    'Read source code by the function instead of the file. Use it to find where something is defined, and to read long functions and files.',
  text: `# Read code

Code is read by the function, with the tools of code-mcp:

1. \`find_function\` with words of a name finds functions and classes of all files.
2. \`list_functions_in_file\` lists those of one file, with what each costs to read.
3. \`get_function_chunk\` reads one. The first line of a page of a long one names the tokens of the next and the previous page.
4. \`get_chunk\` reads by an id of the form path#name.

Prefer these tools to reading whole files of more than 300 lines.`,
}
