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
  ask: (text: string, asked: Omit<Asked, 'turns'>) => Promise<boolean>
  stop: () => void
  clear: () => void
}

/** A conversation in this tab, kept nowhere. */
export function useConversation(): Conversation {
  const queryClient = useQueryClient()
  const [turns, setTurns] = useState<Turn[]>([])
  const [error, setError] = useState<unknown>()
  const [isAnswering, setAnswering] = useState(false)
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
      setTurns(asking)
      try {
        await complete({ ...asked, turns: asking }, controller.signal, (answer) =>
          setTurns([...asking, answer]),
        )
        return true
      } catch (caught) {
        if (controller.signal.aborted) return true
        setTurns(before)
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
      setTurns([])
      setError(undefined)
    },
  }
}
