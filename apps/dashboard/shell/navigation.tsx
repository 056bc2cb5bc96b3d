import {
  IconActivity,
  IconChartBar,
  IconCreditCard,
  IconHome,
  IconKey,
  IconListDetails,
  IconMessage,
  IconSettings,
  IconCube,
} from '../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountQuery } from '../api/queries.ts'
import classes from './shell.module.css'

const places = [
  { to: '/', label: 'Home', icon: IconHome },
  { to: '/keys', label: 'Keys', icon: IconKey },
  { to: '/usage', label: 'Usage', icon: IconChartBar },
  { to: '/health', label: 'Health', icon: IconActivity },
  { to: '/requests', label: 'Requests', icon: IconListDetails },
  { to: '/credit', label: 'Credit', icon: IconCreditCard },
  { to: '/models', label: 'Models', icon: IconCube },
  { to: '/playground', label: 'Playground', icon: IconMessage },
] as const
const operatorPlace = { to: '/operator', label: 'Operator', icon: IconSettings } as const

export function Navigation() {
  const { data: account } = useQuery(accountQuery)
  const shown = account?.operator === true ? [...places, operatorPlace] : places
  return (
    <ul className={classes.links}>
      {shown.map(({ to, label, icon: PlaceIcon }) => (
        <li key={label}>
          <Link to={to} className={classes.link} activeOptions={{ exact: to === '/', includeSearch: false }}>
            <PlaceIcon size={19} stroke={1.7} aria-hidden />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
