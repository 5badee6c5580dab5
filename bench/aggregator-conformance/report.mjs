/** Prints what the suite found; whether nothing is lost through the aggregator. */
export function report(outcomes, legs) {
  const lost = []
  for (const [revision, outcome] of Object.entries(outcomes)) {
    console.log(`\n## ${revision}\n`)
    for (const leg of legs) {
      if (outcome.legs[leg].died) console.log(`${leg}: ${outcome.legs[leg].died}\n`)
    }
    printDifferences(outcome, legs)
    printProblems(outcome, legs)
    printScores(outcome, legs)
    lost.push(...findLost(outcome, legs).map((what) => `${revision}: ${what}`))
  }
  if (lost.length > 0) console.log(`\nLost:\n${lost.map((what) => `- ${what}`).join('\n')}`)
  return lost.length === 0
}

export const of = (checks, status) => checks.filter((check) => check.status === status)

/** As the suite scores it: a warning is no failure. */
const passes = (checks) => checks !== undefined && of(checks, 'FAILURE').length === 0

function describe(checks) {
  if (!checks) return 'not run'
  const counted = [
    ['SUCCESS', 'passed'],
    ['FAILURE', 'failed'],
    ['WARNING', 'warned'],
    ['SKIPPED', 'skipped'],
  ].flatMap(([status, word]) => {
    const { length } = of(checks, status)
    return length > 0 ? [`${length} ${word}`] : []
  })
  return counted.join(', ') || 'no checks'
}

function printDifferences({ scenarios, legs: outcomes }, legs) {
  const ran = legs.filter((leg) => outcomes[leg].checks.size > 0)
  if (ran.length < 2) return console.log('There is nothing to compare.')
  const rows = scenarios
    .map(({ name, scored }) => ({
      name: scored ? name : `${name} (not scored)`,
      cells: ran.map((leg) => describe(outcomes[leg].checks.get(name))),
    }))
    .filter(({ cells }) => new Set(cells).size > 1)
  if (rows.length === 0) return console.log('No scenario differs.')
  console.log(`| scenario | ${ran.join(' | ')} |\n|---|${'---|'.repeat(ran.length)}`)
  for (const { name, cells } of rows) console.log(`| ${name} | ${cells.join(' | ')} |`)
}

/**
 * What failed or warned, once for all legs that say the same. What is not scored and fails directly
 * too is left to the table.
 */
function printProblems({ scenarios, legs: outcomes }, legs) {
  for (const { name, scored } of scenarios) {
    const known = new Set(problems(outcomes[legs[0]].checks.get(name)).map(({ id }) => id))
    const told = new Map()
    for (const leg of legs) {
      for (const { id, status, errorMessage } of problems(outcomes[leg].checks.get(name))) {
        if (!scored && known.has(id)) continue
        const text = `${id} (${status})\n  ${String(errorMessage).slice(0, 600)}`
        told.set(text, (told.get(text) ?? new Set()).add(leg))
      }
    }
    for (const [text, by] of told) console.log(`\n${name}, ${[...by].join(' and ')}: ${text}`)
  }
}

const problems = (checks = []) => [...of(checks, 'FAILURE'), ...of(checks, 'WARNING')]

function printScores({ scenarios, legs: outcomes }, legs) {
  const score = (leg, scored) => {
    const counted = scenarios.filter((scenario) => scenario.scored === scored)
    const passed = counted.filter(({ name }) => passes(outcomes[leg].checks.get(name)))
    return `${passed.length}/${counted.length}`
  }
  console.log(`\n| score | ${legs.join(' | ')} |\n|---|${'---|'.repeat(legs.length)}`)
  console.log(`| scored | ${legs.map((leg) => score(leg, true)).join(' | ')} |`)
  console.log(`| not scored | ${legs.map((leg) => score(leg, false)).join(' | ')} |`)
}

function findLost({ scenarios, legs: outcomes }, legs) {
  const [direct] = legs
  const names = scenarios.filter((scenario) => scenario.scored).map(({ name }) => name)
  return legs.flatMap((leg) => {
    const { checks, died } = outcomes[leg]
    if (checks.size === 0) return [`nothing was run ${leg}`]
    const lost = names.filter((name) =>
      leg === direct
        ? !checks.has(name)
        : passes(outcomes[direct].checks.get(name)) && !passes(checks.get(name)),
    )
    return [...lost.map((name) => `${name} ${leg}`), ...(died ? [`a process ended ${leg}`] : [])]
  })
}
