/**
 * The sentences that state figures, and the texts that have them. `figure` gives the figure of a run,
 * a row and a column; a sentence must begin and end with words.
 *
 * @type {{ paths: string[], sentence: (figure: (id: string, row: string, column: string) => string) => string }[]}
 */
export const claims = [
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `One manual page is ${figure('start', 'the whole page', 'tokens')} tokens. The section`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `The whole page costs ${figure('start', 'the whole page', 'tokens')} tokens; with Pith, search and section cost ${figure('start', 'with Pith', 'tokens')}."`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `reads the whole page: ${figure('start', 'the whole page', 'characters')} characters, ${figure('start', 'the whole page', 'tokens')} tokens.`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `reads one section: ${figure('start', 'with Pith', 'characters')} characters, ${figure('start', 'with Pith', 'tokens')} tokens, ${figure('start', 'with Pith', 'saved %')} % less.`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `The first start took ${figure('start', 'npm start', 'seconds')} s and ${figure('start', 'npm start', 'MB')} MB, package cache included, where the picture was drawn`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `a model spends **${figure('documentation', 'D: ', 'tokens')} tokens** to get the right section whole. Reading the cleaned page 10,000 characters at a time, it spends ${figure('documentation', 'P2: main region', 'tokens')}.`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `finds the others by search: **${figure('tools', 'aggregator-mcp meta', 'tokens of tools/list')} tokens** instead of ${figure('tools', 'direct', 'tokens of tools/list')} for 120 tools.`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `| ${figure('tools', 'aggregator-mcp meta', 'tokens of tools/list')} tokens for 120 tools; several accounts`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `slop-mcp: ${figure('tools', 'slop-mcp', 'tokens of tools/list')} tokens, but a faster start. It takes ${figure('servers', 'slop-mcp', 'idle after listing, MB')} MB of memory instead of ${figure('servers', 'aggregator-mcp meta', 'idle after listing, MB')}.`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `by words: ${figure('index', 'Pith', 'agent')} % right among the first five, ${figure('index', 'Pith', 'MB after 40 s of queries')} MB`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `MiniSearch: ${figure('index', 'MiniSearch', 'agent')} %, ${figure('index', 'MiniSearch', 'MB after 40 s of queries')} MB.`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `Reading a function costs **${figure('functions', 'find_function', '× the function, median')} times** its own tokens; finding it with grep and reading 200 lines at a time costs ${figure('functions', 'grep for the name + windows of 200 ', '× the function, median')} times.`,
  },
  {
    paths: ['docs/index.md'],
    sentence: (figure) =>
      `**What it saves:** ${figure('start', 'the whole page', 'tokens')} tokens for the whole page become ${figure('start', 'with Pith', 'tokens')}. **What`,
  },
  {
    paths: ['docs/index.md'],
    sentence: (figure) =>
      `The list of 120 tools costs ${figure('tools', 'aggregator-mcp meta', 'tokens of tools/list')} tokens instead of ${figure('tools', 'direct', 'tokens of tools/list')}, and`,
  },
  {
    paths: ['docs/index.md'],
    sentence: (figure) =>
      `One function instead of its file, in ${figure('functions', 'find_function', '× the function, median')} times its own tokens. With grep and windows of 200 lines it is ${figure('functions', 'grep for the name + windows of 200 ', '× the function, median')} times.`,
  },
]
