import { useRef, useState } from 'react'
import type { Attachment } from '../conversation/turn.ts'
import { withFiles } from './attachments.ts'

interface Attachments {
  attachments: readonly Attachment[]
  /** About the files that were added last. */
  problems: readonly string[]
  add: (files: readonly File[]) => void
  set: (attachments: readonly Attachment[]) => void
}

/** The attachments of the next question. Files added while others are being read wait for them. */
export function useAttachments(): Attachments {
  const [attachments, setAttachments] = useState<readonly Attachment[]>([])
  const [problems, setProblems] = useState<readonly string[]>([])
  const latest = useRef<readonly Attachment[]>([])
  const reading = useRef(Promise.resolve())
  const set = (next: readonly Attachment[]): void => {
    latest.current = next
    setAttachments(next)
    setProblems([])
  }
  const read = async (files: readonly File[]): Promise<void> => {
    const taken = await withFiles(latest.current, files)
    set(taken.attachments)
    setProblems(taken.problems)
  }
  const add = (files: readonly File[]): void => {
    if (files.length > 0) reading.current = reading.current.then(() => read(files))
  }
  return { attachments, problems, add, set }
}
