"""Programming tasks about numbers."""

from __future__ import annotations

from specui.builtin.recipe.writing.code_task import CodeTask

NUMBER_TASKS = (
    CodeTask(
        ask="a Python function for FizzBuzz",
        short="write FizzBuzz",
        names="fizzbuzz fizz_buzz play",
        answer='''Here is FizzBuzz as a function that returns the lines:

```python
def NAME(limit: int) -> list[str]:
    """Return the FizzBuzz lines from 1 to limit."""
    lines: list[str] = []
    for number in range(1, limit + 1):
        line = ""
        if number % 3 == 0:
            line += "Fizz"
        if number % 5 == 0:
            line += "Buzz"
        lines.append(line or str(number))
    return lines
```

Multiples of 3 give Fizz, multiples of 5 give Buzz, and multiples of both give FizzBuzz.''',
        next_question="example",
        next_answer="""Call it like this:

```python
print("\\n".join(NAME(5)))
```

It prints 1, 2, Fizz, 4 and Buzz, each on a line of its own.""",
    ),
    CodeTask(
        ask="a Python function that returns the greatest common divisor of two numbers",
        short="find the greatest common divisor",
        names="gcd greatest_common_divisor common_divisor",
        answer='''The function uses the algorithm of Euclid:

```python
def NAME(a: int, b: int) -> int:
    """Return the greatest common divisor of a and b."""
    while b:
        a, b = b, a % b
    return abs(a)
```

It replaces the larger number by the remainder of the division until nothing remains.''',
        next_question="example",
        next_answer="""Call it like this:

```python
print(NAME(12, 18))
```

It prints 6, because 6 is the largest number that divides both 12 and 18.""",
    ),
    CodeTask(
        ask="a Python function that checks whether a number is prime",
        short="check whether a number is prime",
        names="is_prime prime check_prime",
        answer='''The function tries all divisors up to the square root:

```python
def NAME(number: int) -> bool:
    """Return True if the number is prime."""
    if number < 2:
        return False
    divisor = 2
    while divisor * divisor <= number:
        if number % divisor == 0:
            return False
        divisor += 1
    return True
```

It stops at the square root, because a larger divisor would have a smaller partner.''',
        next_question="complexity",
        next_answer="It takes O(sqrt(n)) time, because no divisor above the square root is tried. "
        "The memory is O(1): there is only one counter.",
    ),
    CodeTask(
        ask="a Python function that returns all primes up to a limit",
        short="list all primes up to a limit",
        names="primes_up_to primes sieve",
        answer='''This is the sieve of Eratosthenes:

```python
def NAME(limit: int) -> list[int]:
    """Return all primes up to and including limit."""
    is_prime = [True] * (limit + 1)
    primes: list[int] = []
    for number in range(2, limit + 1):
        if is_prime[number]:
            primes.append(number)
            for multiple in range(number * number, limit + 1, number):
                is_prime[multiple] = False
    return primes
```

Every prime crosses out its multiples; what is never crossed out is prime.''',
        next_question="complexity",
        next_answer="It takes O(n log log n) time, which is almost linear. "
        "The list of flags needs O(n) memory, one entry for every number.",
    ),
    CodeTask(
        ask="a Python function that returns the factorial of a number",
        short="compute a factorial",
        names="factorial fact product_to",
        answer='''Here is a short version that calls itself:

```python
def NAME(n: int) -> int:
    """Return the factorial of n."""
    if n <= 1:
        return 1
    return n * NAME(n - 1)
```

The call stops at 1, and every step multiplies its own number to the result.''',
        next_question="loop",
        next_answer='''Here is the same function with a loop:

```python
def NAME(n: int) -> int:
    """Return the factorial of n."""
    result = 1
    for factor in range(2, n + 1):
        result *= factor
    return result
```

It gives the same result and needs no deep stack of calls.''',
    ),
    CodeTask(
        ask="a Python function that returns the first n Fibonacci numbers",
        short="compute Fibonacci numbers",
        names="fibonacci fib first_fibonacci",
        answer='''The function keeps the last two numbers and adds them:

```python
def NAME(n: int) -> list[int]:
    """Return the first n Fibonacci numbers."""
    numbers: list[int] = []
    a, b = 0, 1
    for _ in range(n):
        numbers.append(a)
        a, b = b, a + b
    return numbers
```

The sequence starts with 0 and 1, and every further number is the sum of the two before it.''',
        next_question="complexity",
        next_answer="It takes O(n) time, because the loop runs n times with one addition each. "
        "The list of results needs O(n) memory.",
    ),
    CodeTask(
        ask="a Python function that returns the median of a list of numbers",
        short="find the median",
        names="median middle_value find_median",
        answer='''The function sorts the numbers and takes the middle:

```python
def NAME(numbers: list[float]) -> float:
    """Return the median; the list must not be empty."""
    ordered = sorted(numbers)
    middle = len(ordered) // 2
    if len(ordered) % 2 == 1:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2
```

With an even count there are two middle numbers, so it returns their mean.''',
        next_question="complexity",
        next_answer="It takes O(n log n) time, because the numbers are sorted first. "
        "The sorted copy needs O(n) memory.",
    ),
    CodeTask(
        ask="a Python function that checks whether a year is a leap year",
        short="check for a leap year",
        names="is_leap_year leap is_leap",
        answer='''The rule fits into one line:

```python
def NAME(year: int) -> bool:
    """Return True if the year is a leap year."""
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
```

Every fourth year is a leap year, except full centuries that 400 does not divide.''',
        next_question="tests",
        next_answer="""Here is a short test:

```python
def test_leap_years() -> None:
    assert NAME(2024)
    assert NAME(2000)
    assert not NAME(1900)
    assert not NAME(2023)
```

It covers an ordinary year, a leap year and both kinds of century.""",
    ),
    CodeTask(
        ask="a Python function that converts Celsius to Fahrenheit",
        short="convert Celsius to Fahrenheit",
        names="to_fahrenheit celsius_to_fahrenheit fahrenheit",
        answer='''The function needs one line:

```python
def NAME(celsius: float) -> float:
    """Convert degrees Celsius to degrees Fahrenheit."""
    return celsius * 9 / 5 + 32
```

Water freezes at 0 degrees Celsius, which is 32 degrees Fahrenheit.''',
        next_question="tests",
        next_answer="""Here is a short test:

```python
def test_known_points() -> None:
    assert NAME(0) == 32
    assert NAME(100) == 212
    assert NAME(-40) == -40
```

It checks the freezing point, the boiling point and the point where both scales agree.""",
    ),
    CodeTask(
        ask="a Python function that converts a number to Roman numerals",
        short="convert a number to Roman numerals",
        names="to_roman roman as_roman",
        answer='''The function subtracts the largest value that still fits:

```python
VALUES = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"),
    (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def NAME(number: int) -> str:
    """Return the number in Roman numerals."""
    numerals = ""
    for value, letters in VALUES:
        while number >= value:
            numerals += letters
            number -= value
    return numerals
```

The pairs such as IV and IX are in the table, so they need no rule of their own.''',
    ),
)
