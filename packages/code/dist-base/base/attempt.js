/** What `work` returns, or `otherwise` if it throws. */
export function attempt(work, otherwise) {
    try {
        return work();
    }
    catch {
        return otherwise;
    }
}
