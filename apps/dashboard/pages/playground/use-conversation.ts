import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { makeStale } from '../../api/stale.ts'
import { complete, type Asked } from './complete.ts'
import { question, type Turn } from './turn.ts'

interface Conversation {
  turns: Turn[]
  isAnswering: boolean
  /** Why the last question was refused; the question is still there to be sent again. */
  error: unknown
  /** Answers whether the question was taken. */
  ask: (text: string, asked: Asked) => Promise<boolean>
  stop: () => void
  clear: () => void
}

/** In this tab's memory alone: who looks at a request's details finds the conversation again. */
let kept: Turn[] = []

/** A conversation with a model. */
export function useConversation(): Conversation {
  const queryClient = useQueryClient()
  const [turns, setTurns] = useState(kept)
  const [error, setError] = useState<unknown>()
  const [isAnswering, setAnswering] = useState(false)
  const show = (next: Turn[]) => {
    kept = next
    setTurns(next)
  }
  const running = useRef<AbortController>(undefined)
  return {
    turns,
    isAnswering,
    error,
    async ask(text, asked) {
      const controller = new AbortController()
      running.current = controller
      const before = turns
      const asking = [...before, question(text)]
      setError(undefined)
      setAnswering(true)
      show(asking)
      try {
        const request = { ...asked.request, turns: asking }
        await complete({ ...asked, request }, controller.signal, (answer) => show([...asking, answer]))
        return true
      } catch (caught) {
        if (controller.signal.aborted) return true
        show(before)
        setError(caught)
        return false
      } finally {
        setAnswering(false)
        await makeStale(queryClient, 'requests')
      }
    },
    stop: () => running.current?.abort(),
    clear() {
      running.current?.abort()
      show([])
      setError(undefined)
    },
  }
}
