import { posix } from 'node:path'

/* Checks links between our pages and to files, which a move or a renamed heading would break silently. */

export interface Page {
  /** Path from the root, with `/`. */
  path: string
  text: string
}

/**
 * Links to missing files, and to headings that a page does not have.
 * @param exists whether there is a file or folder at a path from the root
 */
export function linkViolations(pages: readonly Page[], exists: (path: string) => boolean): string[] {
  const headings = new Map(pages.map(({ path, text }) => [path, headingsOf(text)]))
  return pages.flatMap(({ path, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link]) => {
      const [file = '', heading] = link!.split('#')
      if (/^[a-z]+:/.test(link!)) return []
      const target = file === '' ? path : posix.join(posix.dirname(path), file)
      if (!exists(target)) return [`${path} links to ${link}: there is no ${target}`]
      if (heading === undefined || headings.get(target)?.has(heading) !== false) return []
      return [`${path} links to ${link}: ${target} has no such heading`]
    }),
  )
}

/** The anchors that GitHub makes of headings. */
function headingsOf(text: string): Set<string> {
  const titles = [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!)
  return new Set(
    titles.map((title) =>
      title
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '')
}
