import { readFileSync } from 'node:fs'
import type { Plugin, Rolldown } from 'vite'

const source = readFileSync(new URL('../theme/color-scheme.js', import.meta.url), 'utf8')
/** The page of each first path segment. Paths below a list (`/models/…`) have another page. */
const pageFile = /\/pages\/([\w-]+)\/\1-page\.tsx$/

/**
 * A script that blocks the first paint. It applies the dark theme before anything is drawn, and requests
 * the code of the page at this address together with the shell, which would request it later.
 *
 * The policy forbids inline scripts, and Vite does not process scripts that are not modules, so it is a
 * file of its own.
 */
export function headScript(): Plugin {
  let fileName: string
  return {
    name: 'head-script',
    apply: 'build',
    generateBundle(_options, bundle) {
      const asset = { type: 'asset', name: 'head.js', source: source + preloads(bundle) } as const
      fileName = this.getFileName(this.emitFile(asset))
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: `/${fileName}` }, injectTo: 'head-prepend' }],
    },
  }
}

function preloads(bundle: Rolldown.OutputBundle): string {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const shell = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => filesOf(chunk, chunks)))
  const pages = chunks.flatMap((chunk) => {
    const [, name] = pageFile.exec(chunk.facadeModuleId ?? '') ?? []
    if (name === undefined) return []
    const files = filesOf(chunk, chunks).filter((file) => !shell.has(file))
    return [[name === 'home' ? '/' : `/${name}`, files.map((file) => `/${file}`)] as const]
  })
  return `;(function (pages) {
  // A path below a list is one of its entries: /models/a/b shows the page of /model.
  var path = location.pathname.replace(/^(\\/[a-z]+)s\\/.*/, '$1')
  ;(pages[path] || []).forEach(function (file) {
    var link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = file
    document.head.appendChild(link)
  })
})(${JSON.stringify(Object.fromEntries(pages))})
`
}

/** A chunk and everything that it imports statically. */
function filesOf(chunk: Rolldown.OutputChunk, chunks: Rolldown.OutputChunk[]): string[] {
  const found = new Set([chunk.fileName])
  for (const name of found) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      found.add(imported)
  }
  return [...found]
}
