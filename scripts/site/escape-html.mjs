const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text for HTML or XML, attributes included. */
export const escapeHtml = (text) => text.replace(/[&<>"]/g, (sign) => signs[sign])
