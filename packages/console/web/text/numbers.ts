const thin = '\u202f'
const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** 1204 → "1 204", with a narrow no-break space. */
export function formatCount(count: number): string {
  return grouped.format(count).replaceAll(',', thin)
}

/** 12403 → "12.4k". */
export function formatTokens(tokens: number): string {
  const size = Math.abs(tokens)
  if (size < 1_000) return String(Math.round(tokens))
  if (size < 999_950) return `${trim(tokens / 1_000)}k`
  if (size < 999_950_000) return `${trim(tokens / 1_000_000)}M`
  return `${trim(tokens / 1_000_000_000)}B`
}

const trim = (value: number) =>
  Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, '')

/** 0.8 → "0.8 ms", 1234 → "1.23 s", 90000 → "1 min 30 s". */
export function formatMilliseconds(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1).replace(/\.0$/, '')}${thin}ms`
  if (ms < 1_000) return `${Math.round(ms)}${thin}ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)}${thin}s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}${thin}min ${seconds % 60}${thin}s`
}

/** 0.0312 → "3.1 %". Only 0 becomes "0 %", and only 1 becomes "100 %". */
export function formatShare(share: number): string {
  const percent = share * 100
  if (percent > 0 && percent < 0.1) return `<${thin}0.1${thin}%`
  if (percent < 100 && percent > 99.9) return `>${thin}99.9${thin}%`
  return `${percent.toFixed(1).replace(/\.0$/, '')}${thin}%`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes}${thin}B`
  if (bytes < 1_000_000) return `${trim(bytes / 1_000)}${thin}kB`
  return `${trim(bytes / 1_000_000)}${thin}MB`
}

/** "1 tool", "2 tools". */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`
}
