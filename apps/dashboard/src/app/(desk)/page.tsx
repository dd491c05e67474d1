import { Start } from '../../frame/start';

export default function StartPage() {
  return <Start />;
}
