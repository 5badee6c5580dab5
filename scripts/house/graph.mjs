/**
 * The strongly connected components of two or more nodes (Tarjan). `arrows` maps each node to its
 * successors.
 */
export function knotsOf(arrows) {
  const order = new Map()
  const low = new Map()
  const stack = []
  const knots = []
  const visit = (node) => {
    order.set(node, order.size)
    low.set(node, order.get(node))
    stack.push(node)
    for (const next of arrows.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)))
    }
    if (low.get(node) !== order.get(node)) return
    const knot = stack.splice(stack.indexOf(node))
    if (knot.length > 1) knots.push(knot.sort())
  }
  for (const node of arrows.keys()) if (!order.has(node)) visit(node)
  return knots
}

/** The quantile `share` of a list of numbers. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
