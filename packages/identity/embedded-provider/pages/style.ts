import { readFileSync } from 'node:fs'

/** The CSS of all pages for people. */
export const pageStyle = readFileSync(new URL('style.css', import.meta.url), 'utf8')
