/** The outcome of `work`, or a rejection with `reason` after `ms`. The work itself continues. */
export async function within(ms, work, reason) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(reason)), ms);
    });
    return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
