import { useEffect, useRef } from 'react'
import type { Conversation } from './conversation/conversation.ts'

/** Who is further away from the end reads something else. */
const nearPx = 160

/** Keeps the end of an answer in view while it grows, unless the reader has gone back. */
export function useFollowing(conversation: Conversation): void {
  const isNear = useRef(true)
  const count = conversation.rounds.length
  useEffect(() => {
    const look = (): void => {
      const { scrollHeight } = document.documentElement
      isNear.current = scrollHeight - innerHeight - scrollY < nearPx
    }
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  // Whoever asks wants to see the answer.
  useEffect(() => {
    if (count > 0) isNear.current = true
  }, [count])
  useEffect(() => {
    if (isNear.current && conversation.rounds.length > 0)
      window.scrollTo({ top: document.documentElement.scrollHeight })
  }, [conversation.rounds])
}
