/** One value at one moment. */
interface Sample {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

export interface ParsedMetrics {
  samples: readonly Sample[]
  types: ReadonlyMap<string, string>
  /** The one sample of a name with these labels, whatever others it has. */
  valueAt(name: string, labels?: Record<string, string>): number | undefined
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const comment = new RegExp(`^# (?:HELP|UNIT) (${name}) [^\\n]*$`)
const type = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary|untyped)$`)
const sample = new RegExp(`^(${name})(?:\\{(.*)\\})? ([-+]?(?:[0-9.]+(?:e[-+]?[0-9]+)?|Inf)|NaN)$`)
const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/

/**
 * The text format of Prometheus, version 0.0.4, strictly: a type before its samples, no sample
 * twice, buckets that only grow. @throws {Error} with the line
 */
export function parseMetrics(text: string): ParsedMetrics {
  if (!text.endsWith('\n')) throw new Error('the last line has no end')
  const types = new Map<string, string>()
  const samples: Sample[] = []
  const seen = new Set<string>()
  for (const line of text.split('\n')) {
    if (line === '' || comment.test(line)) continue
    const [, typed, kind] = type.exec(line) ?? []
    if (typed !== undefined && kind !== undefined) {
      if (types.has(typed)) throw new Error(`two types: ${line}`)
      types.set(typed, kind)
      continue
    }
    const [, named = '', labelText, valueText = ''] = sample.exec(line) ?? []
    if (named === '') throw new Error(`no sample: ${line}`)
    if (!types.has(familyOf(named, types))) throw new Error(`no type before: ${line}`)
    const labels = labelsIn(labelText ?? '', line)
    const key = `${named} ${JSON.stringify(Object.entries(labels).sort())}`
    if (seen.has(key)) throw new Error(`twice: ${line}`)
    seen.add(key)
    samples.push({ name: named, labels, value: numberIn(valueText) })
  }
  checkBuckets(samples)
  return {
    samples,
    types,
    valueAt(requested, labels = {}) {
      const found = samples.filter(
        (one) =>
          one.name === requested &&
          Object.entries(labels).every(([at, value]) => one.labels[at] === value),
      )
      if (found.length > 1) throw new Error(`${found.length} samples of ${requested}`)
      return found[0]?.value
    },
  }
}

const familyOf = (named: string, types: ReadonlyMap<string, string>): string =>
  types.has(named) ? named : named.replace(/_(?:bucket|sum|count)$/, '')

function labelsIn(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let rest = text; rest !== ''; ) {
    const [whole = '', key = '', value = ''] = label.exec(rest) ?? []
    if (whole === '' || key in labels) throw new Error(`bad labels: ${line}`)
    labels[key] = value.replace(/\\(.)/g, (_, at: string) => (at === 'n' ? '\n' : at))
    rest = rest.slice(whole.length)
  }
  return labels
}

const numberIn = (text: string): number =>
  text === '+Inf' || text === 'Inf' ? Number.POSITIVE_INFINITY : Number(text)

function checkBuckets(samples: readonly Sample[]): void {
  const last = new Map<string, Sample>()
  for (const one of samples.filter(({ name: named }) => named.endsWith('_bucket'))) {
    const { le, ...labels } = one.labels
    const key = `${one.name} ${JSON.stringify(labels)}`
    const before = last.get(key)
    const isMore =
      before === undefined ||
      (numberIn(le ?? '') > numberIn(before.labels['le'] ?? '') && one.value >= before.value)
    if (!isMore) throw new Error(`buckets do not grow: ${key}`)
    last.set(key, one)
  }
  for (const [key, one] of last) if (one.labels['le'] !== '+Inf') throw new Error(`no +Inf: ${key}`)
}
