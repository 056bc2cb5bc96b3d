import type { ReactNode } from 'react'
import { AccountChoices } from './account-choices.tsx'
import { OpeningMenu } from '../opening-menu.tsx'
import classes from '../shell.module.css'

export default function SwitcherMenu({ children }: { children: ReactNode }) {
  return (
    <OpeningMenu className={classes.switcher} position="bottom-start" button={children}>
      <AccountChoices />
    </OpeningMenu>
  )
}
