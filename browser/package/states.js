/**
 * The states of one hold of the project lock. Each has a method for every way out of it and no other, so a transition
 * that is not in the diagram can't be written down.
 *
 * Added to the diagram of the source: a lease that ends goes from holding or renewing to releasing; a renewal that fails goes
 * back to holding; a release that is tried again goes from faulted to idle; an abort, and an error that trying again can't
 * help, go from wherever the wait is to faulted.
 */
export class Idle {
  name = 'idle';
  acquire = () => new RequestingWeb();
}

export class RequestingWeb {
  name = 'requesting-web';
  granted = () => new HoldingWeb();
  unavailable = () => new SwitchingFallback();
  backOff = () => new BackingOff();
  fail = () => new Faulted();
}

export class SwitchingFallback {
  name = 'switching-fallback';
  granted = () => new HoldingFallback();
  backOff = () => new BackingOff();
  fail = () => new Faulted();
}

export class BackingOff {
  name = 'backing-off';
  retry = () => new RequestingWeb();
  fail = () => new Faulted();
}

export class HoldingWeb {
  name = 'holding-web';
  renew = () => new Renewing(this);
  release = () => new Releasing();
  expire = () => new Releasing();
}

export class HoldingFallback {
  name = 'holding-fallback';
  renew = () => new Renewing(this);
  release = () => new Releasing();
  expire = () => new Releasing();
}

/** Whether it succeeds or not, the lease continues as it was held, unless its end comes first. */
export class Renewing {
  #held;

  constructor(held) {
    this.#held = held;
  }

  name = 'renewing';
  renewed = () => this.#held;
  failed = () => this.#held;
  expire = () => new Releasing();
}

export class Releasing {
  name = 'releasing';
  cleaned = () => new Idle();
  fail = () => new Faulted();
}

export class Faulted {
  name = 'faulted';
  cleaned = () => new Idle();
}

/** Where one hold is in the diagram. The next hold starts a new one. */
export class Machine {
  #onChange;

  constructor(onChange = () => {}) {
    this.#onChange = onChange;
    this.state = new Idle();
  }

  /** Continues to another state, by one of the ways out of this one. */
  go(way) {
    this.state = way(this.state);
    this.#onChange(this.state.name);
  }

  get isInUse() {
    return !(this.state instanceof Idle || this.state instanceof Releasing || this.state instanceof Faulted);
  }
}
