/**
 * The sentences that state figures, and the texts that have them. `figure` gives the figure of a run,
 * a row and a column; a sentence must begin and end with words.
 *
 * @type {{ paths: string[], sentence: (figure: (id: string, row: string, column: string) => string) => string }[]}
 */
export const claims = [
  {
    paths: ['README.md', 'docs/aggregator/what-the-model-sees.md'],
    sentence: (figure) =>
      `Up to ${figure('sessions', 'even with Pith, meta, for the servers', 'tokens of definitions')} tokens of definitions,`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `Twenty sessions with ten servers take ${figure('shared', 'on', 'processes')} processes and ${figure('shared', 'on', 'MB RSS')} MB instead of ${figure('shared', 'off', 'processes')} and ${figure('shared', 'off', 'MB RSS')} MB.`,
  },
  {
    paths: ['README.md'],
    sentence: (figure) =>
      `In a record of ${figure('sessions', 'all', 'results')} results, ${figure('sessions', 'as a first page', 'results')} were that long, and ${figure('sessions', 'whose next', 'results')} of them needed the next page.`,
  },
  {
    paths: ['README.md', 'docs/index.md'],
    sentence: (figure) =>
      `Pith loses: ${figure('sessions', 'Pith, meta', 'tokens a task, the servers of the task')} tokens a task instead of ${figure('sessions', 'native, all', 'tokens a task, the servers of the task')}.`,
  },
  {
    paths: ['README.md', 'docs/index.md'],
    sentence: (figure) =>
      `Pith wins: ${figure('sessions', 'Pith, meta', 'tokens a task, all 70 servers')} tokens a task instead of ${figure('sessions', 'native, all', 'tokens a task, all 70 servers')}, or ${figure('sessions', 'native, definitions', 'tokens a task, all 70 servers')} with a client that loads definitions on demand.`,
  },
  {
    paths: ['docs/comparison.md'],
    sentence: (figure) =>
      `mode \`meta\` changes the tokens of a recorded task by ${figure('sessions', 'Pith, meta', '%, the servers of the task')} % with only its own servers, and by ${figure('sessions', 'Pith, meta', '%, all 70 servers')} % with 70. A client that loads definitions on demand changes them by ${figure('sessions', 'native, definitions', '%, the servers of the task')} and ${figure('sessions', 'native, definitions', '%, all 70 servers')} %.`,
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
      `**What it saves:** ${figure('start', 'the whole page', 'tokens')} tokens for the whole page become ${figure('start', 'with Pith', 'tokens')}.`,
  },
]
