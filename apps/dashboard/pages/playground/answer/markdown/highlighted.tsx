import { common, createLowlight } from 'lowlight'
import { useMemo, type ReactNode } from 'react'
import './highlight.css'

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

const lowlight = createLowlight(common)

/** Code with syntax highlighting; plain if its language is unknown. */
export default function Highlighted({ code, language }: { code: string; language: string }) {
  return useMemo(() => {
    const name = language.toLowerCase()
    return lowlight.registered(name) ? (
      <>{lowlight.highlight(name, code).children.map(renderNode)}</>
    ) : (
      <>{code}</>
    )
  }, [code, language])
}

function renderNode(node: Node, key: number): ReactNode {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return null
  const names = node.properties['className']
  return (
    <span key={key} className={Array.isArray(names) ? names.join(' ') : undefined}>
      {node.children.map((child, index) => renderNode(child, index))}
    </span>
  )
}
