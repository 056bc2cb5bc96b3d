import { useEffect, useRef, useState } from 'react'

/**
 * Accepts files dropped anywhere on the page, which the browser would otherwise open instead of the page.
 * True while files are dragged over the page.
 */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const latest = useRef(onFiles)
  useEffect(() => {
    latest.current = onFiles
  })
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      // Not null: the pointer only moved to another part of the page.
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      latest.current([...event.dataTransfer!.files])
    }
    window.addEventListener('dragover', over)
    window.addEventListener('dragleave', leave)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragover', over)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}
