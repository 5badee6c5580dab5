/** A tool was there, whatever it said. */
export const isAnswered = (outcome: string): boolean => outcome === 'ok' || outcome === 'tool_error'
