/** A cell of RFC 4180. Spreadsheets would run text that begins like a formula. */
export function csvCell(value: unknown): string {
  const text = String(value ?? '')
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
