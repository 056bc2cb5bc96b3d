import { createContext, use } from 'react'
import type { Session } from './session.ts'

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = use(SessionContext)
  if (session === undefined) throw new Error('there is no session around this')
  return session
}
