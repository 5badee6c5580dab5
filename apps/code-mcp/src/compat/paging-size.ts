/** Size of a page with `--compat paging`, unless a setting or a call says otherwise. */
export const pagingSize = '500 lines, 10 KB'
