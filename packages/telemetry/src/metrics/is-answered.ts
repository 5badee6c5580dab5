/** True if the tool exists, even if it failed. */
export const isAnswered = (outcome: string): boolean => outcome === 'ok' || outcome === 'tool_error'
