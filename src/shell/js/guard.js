// Bounds on built-in loops. The engine is asked to stop only at calls and loop turns of the script itself, so a built-in
// that walks a huge length without calling the script would run on past every limit. Here such lengths are refused,
// and what a script could lie about (a proxy, a length that changes) is first copied by a loop that can be stopped.
// Before a built-in walks something long, the clock is looked at: few such calls take long.
(function (isProxy, refuse, pause) {
  'use strict';
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const { apply, construct, ownKeys } = Reflect;
  const isArray = Array.isArray, string = String, isView = ArrayBuffer.isView;
  // More elements than this do not fit in the memory limit, unless they are holes.
  const LONGEST = 8_000_000, SORTED = 50_000, SEARCHED = 2e9, MATCHED = 4_000_000, LONG = 5_000, BITS = 65_536, DIGITS = 10_000;
  const replace = (object, name, make) => {
    const property = getOwnPropertyDescriptor(object, name);
    if (property === undefined || typeof property.value !== 'function') return;
    const native = property.value, guarded = make(native);
    defineProperty(guarded, 'name', { value: native.name, configurable: true });
    defineProperty(guarded, 'length', { value: native.length, configurable: true });
    defineProperty(object, name, { value: guarded, writable: true, enumerable: property.enumerable, configurable: true });
  };

  const copy = (list) => {
    const length = list.length >>> 0, made = [];
    for (let i = 0; i < length; i++) made[i] = list[i];
    return made;
  };
  // An array whose length can be believed.
  const honest = (list) => {
    if (isArray(list) && !isProxy(list)) {
      if (list.length > LONGEST) refuse('memory');
      if (list.length > LONG) pause();
      return list;
    }
    if (list === null || list === undefined || isView(list)) return list;
    const length = list.length;
    if (typeof length === 'number' && length > LONGEST) refuse('memory');
    return copy(list);
  };
  const looping = ['at', 'concat', 'copyWithin', 'every', 'fill', 'filter', 'find', 'findIndex', 'findLast', 'findLastIndex',
    'flatMap', 'forEach', 'includes', 'indexOf', 'join', 'lastIndexOf', 'map', 'reduce', 'reduceRight', 'reverse', 'shift',
    'slice', 'some', 'splice', 'toReversed', 'toSpliced', 'unshift', 'with', 'toLocaleString', 'keys', 'entries'];
  for (let i = 0; i < looping.length; i++) {
    replace(Array.prototype, looping[i], (native) => function (...args) {
      const list = honest(this);
      if (looping[i] === 'concat') for (let a = 0; a < args.length; a++) if (isArray(args[a])) args[a] = honest(args[a]);
      return apply(native, list, args);
    });
  }
  replace(Array.prototype, 'flat', () => function (depth) {
    const made = [];
    const add = (list, left) => {
      const length = list.length;
      for (let i = 0; i < length; i++) {
        if (!(i in list)) continue;
        const value = list[i];
        if (left > 0 && isArray(value)) add(honest(value), left - 1); else made[made.length] = value;
      }
    };
    add(honest(this), depth === undefined ? 1 : +depth);
    return made;
  });
  // A comparison by the script can be stopped; the built-in one is kept for short arrays.
  const byText = (a, b) => { a = string(a); b = string(b); return a < b ? -1 : a > b ? 1 : 0; };
  const byNumber = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const sorting = (proto, order) => {
    for (const name of ['sort', 'toSorted']) {
      replace(proto, name, (native) => function (compare) {
        const list = honest(this);
        return apply(native, list, [compare === undefined && list.length > SORTED ? order : compare]);
      });
    }
  };
  sorting(Array.prototype, byText);
  const typed = getPrototypeOf(Uint8Array.prototype);
  sorting(typed, byNumber);
  for (const name of ['join', 'toLocaleString', 'map', 'filter']) {
    replace(typed, name, (native) => function (...args) {
      if (this.length > LONGEST) refuse('memory');
      return apply(native, this, args);
    });
  }

  // These walk whole objects, and no call or loop turn of the script comes between.
  const walking = ['assign', 'keys', 'values', 'entries', 'fromEntries', 'freeze', 'seal', 'getOwnPropertyNames',
    'getOwnPropertyDescriptors', 'defineProperties', 'groupBy'];
  for (let i = 0; i < walking.length; i++) {
    replace(Object, walking[i], (native) => function (...args) {
      pause();
      return apply(native, this, args);
    });
  }
  replace(Array, 'from', (native) => function (...args) {
    pause();
    return apply(native, this, args);
  });
  // With a replacer of the script's kind each value is a call that can be stopped.
  replace(JSON, 'stringify', (native) => (value, replacer, space) =>
    native(value, replacer === undefined || replacer === null ? (key, part) => part : replacer, space));
  replace(JSON, 'parse', (native) => (text, reviver) => {
    pause();
    return native(text, reviver);
  });
  for (const name of ['concat', 'localeCompare', 'match', 'matchAll', 'normalize', 'padEnd', 'padStart', 'repeat', 'search',
    'slice', 'substring', 'substr', 'toLowerCase', 'toUpperCase', 'toLocaleLowerCase', 'toLocaleUpperCase', 'toWellFormed',
    'trim', 'trimEnd', 'trimStart']) {
    replace(String.prototype, name, (native) => function (...args) {
      if (typeof this === 'string' && this.length > LONG) pause();
      return apply(native, this, args);
    });
  }

  // Whole numbers of any length: writing one takes the square of its length.
  const big = (value) => {
    if (typeof value === 'bigint' && (value > LARGEST || value < -LARGEST)) refuse('memory');
    return value;
  };
  defineProperty(globalThis, '__big', { value: big, writable: false, enumerable: false, configurable: false });
  const NativeBigInt = BigInt, LARGEST = 1n << NativeBigInt(BITS);
  const GuardedBigInt = function BigInt(value) {
    if (new.target !== undefined) throw new TypeError('BigInt is not a constructor');
    const from = typeof value === 'object' && value !== null ? string(value) : value;
    if (typeof from === 'string' && from.length > DIGITS) refuse('memory');
    return NativeBigInt(from);
  };
  for (const name of ['asIntN', 'asUintN']) {
    const native = NativeBigInt[name];
    defineProperty(GuardedBigInt, name, { value: (bits, value) => {
      if (!(+bits <= BITS)) refuse('memory');
      return native(bits, value);
    }, writable: true, configurable: true });
  }
  GuardedBigInt.prototype = NativeBigInt.prototype;
  defineProperty(NativeBigInt.prototype, 'constructor', { value: GuardedBigInt, writable: true, configurable: true });
  defineProperty(globalThis, 'BigInt', { value: GuardedBigInt, writable: true, configurable: true });

  // Searching for a long text in a longer one takes their product.
  for (const name of ['indexOf', 'lastIndexOf', 'includes', 'split', 'replace', 'replaceAll']) {
    replace(String.prototype, name, (native) => function (...args) {
      const wanted = args[0];
      if (typeof this === 'string' && this.length > LONG) pause();
      if (typeof wanted === 'string' && wanted.length > 64 && typeof this === 'string' && this.length * wanted.length > SEARCHED) {
        refuse('time');
      }
      return apply(native, this, args);
    });
  }
  for (const name of [Symbol.replace, Symbol.split, Symbol.match, Symbol.matchAll]) {
    replace(RegExp.prototype, name, (native) => function (...args) {
      const text = args[0] = string(args[0]);
      if (text.length > MATCHED) refuse('time');
      if (text.length > LONG) pause();
      return apply(native, this, args);
    });
  }

  const NativeSet = Set;
  const GuardedSet = function Set(values) {
    if (new.target === undefined) throw new TypeError("Constructor Set requires 'new'");
    const from = isArray(values) ? honest(values) : values;
    return construct(NativeSet, from === undefined ? [] : [from], new.target === GuardedSet ? NativeSet : new.target);
  };
  GuardedSet.prototype = NativeSet.prototype;
  defineProperty(NativeSet.prototype, 'constructor', { value: GuardedSet, writable: true, configurable: true });
  defineProperty(globalThis, 'Set', { value: GuardedSet, writable: true, configurable: true });

  // Compiling cannot be stopped, and shared memory can be waited on for ever. What is compiled here is not edited first,
  // so its numbers of any length would be unguarded.
  const BIG = new RegExp('\\b[0-9][0-9a-zA-Z_]*n\\b|BigInt|\\\\u'), matches = RegExp.prototype.test;
  const compilable = (code) => {
    if (code.length > MATCHED) refuse('text');
    if (apply(matches, BIG, [code])) throw new EvalError('code made at run time cannot use BigInt here');
    return code;
  };
  const compiled = (native) => {
    const guarded = function (...args) {
      for (let i = 0; i < args.length; i++) args[i] = compilable(string(args[i]));
      return new.target === undefined ? apply(native, this, args) : construct(native, args);
    };
    guarded.prototype = native.prototype;
    return guarded;
  };
  replace(globalThis, 'eval', (native) => (code) => {
    return native(typeof code === 'string' ? compilable(code) : code);
  });
  const makers = [function () {}, async function () {}, function* () {}, async function* () {}];
  for (let i = 0; i < makers.length; i++) {
    const proto = getPrototypeOf(makers[i]), guarded = compiled(proto.constructor);
    defineProperty(proto, 'constructor', { value: guarded, writable: true, configurable: true });
    if (i === 0) defineProperty(globalThis, 'Function', { value: guarded, writable: true, configurable: true });
  }
  for (const name of ['Atomics', 'SharedArrayBuffer', 'WebAssembly', 'FinalizationRegistry']) delete globalThis[name];
})
