export { CodeError } from './code-error.js';
export { createCode } from './create-code.js';
export { defaultPageTokens, maxPageTokens } from './text/page-size.js';
//# sourceMappingURL=index.js.map